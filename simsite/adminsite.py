"""The operator's tables: Django's admin in a maintained theme, open to the role and not to the staff flag."""

from __future__ import annotations

from django.contrib.admin.apps import SimpleAdminConfig
from django.http import HttpRequest
from unfold.sites import UnfoldAdminSite


class SiteAdmin(UnfoldAdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        from games.site.accounts.roles import Role, role_of

        return role_of(request.user) is Role.OPERATOR


class SiteAdminConfig(SimpleAdminConfig):
    default_site = "simsite.adminsite.SiteAdmin"

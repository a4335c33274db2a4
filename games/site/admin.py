"""The operator's tables. What is a log is shown and never edited."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from games.core.registry import packs
from games.errors.requests import BadRequest
from games.site.accounts.trail import audit, who_of
from games.site.models import (
    ApiKey,
    AuditEntry,
    Call,
    Decision,
    Experiment,
    Member,
    Message,
    Run,
    Scenario,
    Seat,
    Session,
    Study,
    Visit,
    Webhook,
)
from games.site.runs import creating
from games.site.web import adminwords
from games.site.web.adminexperiment import ExperimentAdmin, sentences_of
from games.site.web.adminlog import LogAdmin
from games.site.web.admintext import said

adminwords.teach()
admin.site.register(Experiment, ExperimentAdmin)


class SeatInline(TabularInline):
    model = Seat
    extra = 0
    can_delete = False
    fields = readonly_fields = ("index", "name", "role", "kind", "agent")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(LogAdmin):
    list_display = ("id", "watch", "game", "scenario", "condition", "seed", "status", "head", "pace", "created")
    list_filter = ("game", "status", "queue")
    search_fields = ("id", "scenario__name")
    inlines = (SeatInline,)
    actions = ("resume", "pause", "stop")

    @admin.action(description=said("Go on", "继续"))
    def resume(self, request: HttpRequest, chosen: QuerySet[Run]) -> None:
        self._change(request, chosen, creating.run_play, "run_resumed")

    @admin.action(description=said("Pause", "暂停"))
    def pause(self, request: HttpRequest, chosen: QuerySet[Run]) -> None:
        self._change(request, chosen, creating.run_pause, "run_paused")

    @admin.action(description=said("Stop for good", "永久停止"))
    def stop(self, request: HttpRequest, chosen: QuerySet[Run]) -> None:
        self._change(request, chosen, creating.run_stop, "run_stopped")

    def _change(self, request: HttpRequest, chosen: QuerySet[Run], act: Any, what: str) -> None:
        """Do it with each; what one refuses is told and stops no other."""
        for run in chosen.order_by("-created"):
            try:
                act(run_id=run.pk)
            except BadRequest as error:
                messages.error(request, f"{run.pk}: {' '.join(sentences_of(error))}")
            else:
                audit(who=who_of(request), what=what, on=f"run {run.pk}")
                messages.success(request, f"{run.pk}: {adminwords.deed(what)}")

    @admin.display(description=said("page", "页面"))
    def watch(self, run: Run) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("run", args=[run.pk]), said("watch", "观看"))


class FormAdmin(LogAdmin):
    """What is written on the site's own form, made from the game's schema: the admin's buttons lead there."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return True  # who is here operates the site


@admin.register(Scenario)
class ScenarioAdmin(FormAdmin):
    list_display = ("name", "game", "created", "again")
    list_filter = ("game",)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of one game, or the choice among them."""
        chosen = request.GET.get("game")
        if chosen in packs():
            return redirect("new", game=chosen)
        games = [(slug, pack.title, reverse("new", args=[slug])) for slug, pack in packs().items()]
        context = {**self.admin_site.each_context(request), "games": games, "opts": self.model._meta}
        return TemplateResponse(request, "admin/choose_game.html", context)

    @admin.display(description=said("another", "再做一个"))
    def again(self, scenario: Scenario) -> SafeString:
        run = scenario.runs.order_by("-created").values_list("pk", flat=True).first()
        like = "" if run is None else f"?like={run}"
        return format_html(
            '<a href="{}{}">{}</a>', reverse("new", args=[scenario.game]), like, said("like it", "照此新建")
        )


@admin.register(Decision)
class DecisionAdmin(LogAdmin):
    list_display = ("run", "step", "seat", "purpose", "created")


@admin.register(Call)
class CallAdmin(LogAdmin):
    list_display = ("run", "step", "seat", "attempt", "model", "failure", "cost_usd", "latency_ms")
    list_filter = ("failure", "model")


@admin.register(Message)
class MessageAdmin(LogAdmin):
    list_display = ("run", "step", "sender", "text")
    search_fields = ("text",)


class ByDeed(admin.SimpleListFilter):
    title = said("act", "操作")
    parameter_name = "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        acts = AuditEntry.objects.order_by("what").values_list("what", flat=True).distinct()
        return [(what, adminwords.deed(what)) for what in acts]

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        return queryset.filter(what=self.value()) if self.value() else queryset


@admin.register(AuditEntry)
class AuditAdmin(LogAdmin):
    list_display = ("at", "who", "deed", "place", "data")
    list_filter = (ByDeed,)
    search_fields = ("who", "what", "on")

    @admin.display(description=said("act", "操作"), ordering="what")
    def deed(self, entry: AuditEntry) -> str:
        return str(adminwords.deed(entry.what))

    @admin.display(description=said("done to", "对象"), ordering="on")
    def place(self, entry: AuditEntry) -> str:
        return str(adminwords.place(entry.on))


@admin.register(ApiKey)
class ApiKeyAdmin(LogAdmin):
    list_display = ("name", "prefix", "user", "scopes", "budget_usd", "created", "used", "expires", "revoked")
    list_filter = ("user",)
    exclude = ("digest",)
    actions = ("revoke",)

    @admin.action(description=said("Revoke", "吊销"))
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        for key in keys.filter(revoked=None):
            AuditEntry.objects.create(who=str(request.user), what="key_revoked", on=f"key {key.prefix}")
        done = keys.filter(revoked=None).update(revoked=timezone.now())
        messages.info(request, str(said("{} revoked", "已吊销 {} 个")).format(done))


@admin.register(Webhook)
class WebhookAdmin(LogAdmin):
    list_display = ("user", "address", "events", "experiment", "created", "failing", "disabled", "reason")
    list_filter = ("user",)
    exclude = ("salt", "old_salt")


admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(UserAdmin, ModelAdmin):  # type: ignore[type-arg]
    """Accounts: a role is a group."""

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    list_display = ("username", "roles", "is_active", "is_superuser", "last_login")
    list_filter = ("groups", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password", "is_active", "groups")}),
        (said("More", "更多"), {"fields": ("email", "is_superuser", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2", "groups")}),)
    readonly_fields = ("last_login",)
    filter_horizontal = ()

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The few roles as boxes to tick: the theme's two lists side by side are wider than a laptop."""
        widget = UnfoldAdminCheckboxSelectMultipleWidget
        return super().formfield_for_manytomany(db_field, request, **{**kwargs, "widget": widget})

    @admin.display(description=said("roles", "角色"))
    def roles(self, user: User) -> str:
        return ", ".join(user.groups.values_list("name", flat=True))


@admin.register(Group)
class RoleAdmin(GroupAdmin, ModelAdmin):
    pass


@admin.register(Study)
class StudyAdmin(FormAdmin):
    list_display = ("slug", "page", "document_hash", "created")
    search_fields = ("slug",)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The site's own page, where a file is checked before anybody comes."""
        return redirect("studies_page")

    @admin.display(description=said("page", "页面"))
    def page(self, one: Study) -> SafeString:
        return format_html('<a href="{}?study={}">{}</a>', reverse("studies_page"), one.pk, said("open", "打开"))


@admin.register(Session)
class SessionAdmin(FormAdmin):
    list_display = ("code", "page", "study", "is_open", "created")
    list_filter = ("study",)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A session is opened from its study."""
        return redirect("studies_page")

    @admin.display(description=said("page", "页面"))
    def page(self, one: Session) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("session", args=[one.pk]), said("open", "打开"))


@admin.register(Member)
class MemberAdmin(LogAdmin):
    """Labels are names; they stand here, and on the session's page, alone."""

    list_display = ("session", "number", "label", "arm", "state", "step", "round")
    list_filter = ("state",)


@admin.register(Visit)
class VisitAdmin(LogAdmin):
    list_display = ("member", "step", "round", "attempt", "why", "entered", "left")

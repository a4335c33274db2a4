"""The operator's tables. What is a log is shown and never edited."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from games.core.registry import packs
from games.errors import sentences
from games.errors.requests import BadRequest
from games.site.accounts.trail import audit, who_of
from games.site.models import (
    ENDED,
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
)
from games.site.runs import creating
from games.site.web import adminwords
from games.site.web.adminexperiment import ExperimentForm, answer, file_of, sentences_of
from games.site.web.admintext import said
from games.site.web.errors import told
from games.site.web.refusals import language

adminwords.teach()


class LogAdmin(ModelAdmin):
    """Read-only: the log is written by its services alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # ended runs go by `games.site.runs.deleting`, which leaves a trace


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


@admin.register(Experiment)
class ExperimentAdmin(LogAdmin):
    form = ExperimentForm
    list_display = ("slug", "page", "export", "question", "game", "status", "played", "created")
    list_filter = ("game", "status")
    search_fields = ("slug",)
    actions = ("start", "pause", "cancel", "clone")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Experiment]:
        ended = Count("cells", filter=Q(cells__run__status__in=ENDED))
        found: QuerySet[Experiment] = super().get_queryset(request)
        return found.annotate(ended_cells=ended, all_cells=Count("cells"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return True  # who is here operates the site

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None or obj.frozen_at is None

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if self.has_change_permission(request, obj):
            return (*(() if obj is None else ("acts",)), "slug", "text", "pace", "at_once", "usd")
        return ("acts", "slug", "status", "answered", "export", "file")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ()
        return ("acts", "slug") if obj.frozen_at is None else self.get_fields(request, obj)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Experiment:
        """The draft, kept by its service; what that refuses stands over the form."""
        made: Experiment = form.kept()
        audit(who=who_of(request), what="experiment_changed" if change else "experiment_made", on=f"experiment {made}")
        return made

    def save_model(self, request: HttpRequest, obj: Experiment, form: Any, change: bool) -> None:
        """It is kept already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing hangs on it."""

    @admin.display(description=said("now", "操作"))
    def acts(self, one: Experiment) -> SafeString:
        """What can be done with it as it was saved. Buttons of the page's form: nothing changes by a link."""
        fit = {
            "start": ("draft", "paused", "stopped"),
            "pause": ("running",),
            "cancel": ("running", "paused", "stopped"),
        }
        names = [name for name in self.actions if one.status in fit.get(name, (one.status,))]
        return format_html_join(
            " ",
            '<button type="submit" formnovalidate formaction="{}" class="border px-3 py-2 rounded-default">{}</button>',
            (
                (reverse("admin:games_experiment_act", args=[one.pk, name]), getattr(self, name).short_description)
                for name in names
            ),
        )

    @admin.display(description=said("answer", "结果"))
    def answered(self, one: Experiment) -> SafeString:
        return answer(one)

    @admin.display(description=said("file", "文件"))
    def file(self, one: Experiment) -> SafeString:
        return format_html("<pre>{}</pre>", file_of(one))

    @admin.display(description=said("page", "页面"))
    def page(self, one: Experiment) -> SafeString:
        how, word = ("like", said("another", "再做一个"))
        if one.frozen_at is None:
            how, word = ("draft", said("change", "修改"))
        return format_html(
            '<a href="{}">{}</a> · <a href="{}?{}={}">{}</a>',
            reverse("experiment_page", args=[one.slug]),
            said("open", "打开"),
            reverse("experiment_new_page"),
            how,
            one.slug,
            word,
        )

    @admin.display(description=said("question", "问题"))
    def question(self, one: Experiment) -> str:
        return str(one.title.get(language()) or next(iter(one.title.values()), ""))

    @admin.display(description=said("export", "导出"))
    def export(self, one: Experiment) -> str:
        """What its runs are as a table, and as folders; the page has every other level and form."""
        if one.frozen_at is None:
            return "–"
        forms = ("csv", "parquet", "zip")
        rows = ((f"{reverse('api:export_by_address')}?experiment={one.slug}&format={form}", form) for form in forms)
        return format_html_join(" · ", '<a href="{}">{}</a>', rows)

    @admin.display(description=said("played", "已完成"))
    def played(self, one: Any) -> str:
        return f"{one.ended_cells}/{one.all_cells}" if one.all_cells else "–"

    @admin.action(description=said("Start, or go on", "开始或继续"))
    def start(self, request: HttpRequest, chosen: QuerySet[Experiment]) -> None:
        self._change(request, chosen, "start", said("{} started", "已开始：{}"))

    @admin.action(description=said("Pause", "暂停"))
    def pause(self, request: HttpRequest, chosen: QuerySet[Experiment]) -> None:
        self._change(request, chosen, "pause", said("{} paused", "已暂停：{}"))

    @admin.action(description=said("Cancel for good", "永久取消"))
    def cancel(self, request: HttpRequest, chosen: QuerySet[Experiment]) -> None:
        self._change(request, chosen, "cancel", said("{} cancelled", "已取消：{}"))

    @admin.action(description=said("Clone as a draft", "克隆为草稿"))
    def clone(self, request: HttpRequest, chosen: QuerySet[Experiment]) -> None:
        self._change(request, chosen, "clone", said("{} made", "已建立：{}"))

    def get_urls(self) -> list[Any]:
        act = self.admin_site.admin_view(require_POST(self.act))
        return [path("<int:pk>/<str:name>/do/", act, name="games_experiment_act"), *super().get_urls()]

    def act(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """One of the table's actions on the experiment that is open; where it made another, that one opens."""
        if name not in self.actions:
            raise Http404
        newest = Experiment.objects.filter(pk__gt=pk, parent=pk).order_by("-pk")
        known = newest.count()
        getattr(self, name)(request, Experiment.objects.filter(pk=pk))
        opened = newest[0].pk if newest.count() > known else pk
        return redirect("admin:games_experiment_change", opened)

    def _change(self, request: HttpRequest, chosen: QuerySet[Experiment], action: Any, done_says: Any) -> None:
        from games.site.experiments.many import experiments_change  # what drives runs is loaded where it is used

        done, refused = experiments_change(experiments=chosen.order_by("pk"), action=action, who=who_of(request))
        if done:
            messages.success(request, str(done_says).format(", ".join(one.slug for one in done)))
        for one, error in refused:
            why = told(error, request.path)
            messages.error(request, f"{one.slug}: {sentences.sentence(language(), why.code, why.message, why.more)}")


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
    list_display = ("name", "prefix", "user", "scopes", "created", "used", "expires", "revoked")
    list_filter = ("user",)
    exclude = ("digest",)
    actions = ("revoke",)

    @admin.action(description=said("Revoke", "吊销"))
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        for key in keys.filter(revoked=None):
            AuditEntry.objects.create(who=str(request.user), what="key_revoked", on=f"key {key.prefix}")
        done = keys.filter(revoked=None).update(revoked=timezone.now())
        messages.info(request, str(said("{} revoked", "已吊销 {} 个")).format(done))


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

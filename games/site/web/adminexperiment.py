"""An experiment in the admin: its file written and checked there, what came of it shown there."""

from __future__ import annotations

import json
from contextvars import ContextVar
from copy import copy
from typing import Any, Final

import yaml
from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminTextareaWidget

from games.errors import sentences
from games.errors.faults import BadScenario, Refused
from games.errors.requests import BadRequest
from games.lab.analysis.report.labels import WORDS
from games.lab.scenarios.yamlfile import parse_yaml
from games.lab.sources.rows import contrast
from games.site.accounts.trail import audit, who_of
from games.site.experiments import declaring
from games.site.models import ENDED, Experiment
from games.site.web.adminlog import LogAdmin
from games.site.web.admintext import said
from games.site.web.errors import told
from games.site.web.experiments import experiment_result
from games.site.web.refusals import language

FIRST = """\
title: {en: "Does generosity pay where hands slip?"}
base: dilemma/noise-ladder
seeds: 1..20
"""
"""What an empty form holds: a file that can be started as it is."""
OVER: Final = ("finished", "cancelled", "stopped")


class ExperimentForm(forms.ModelForm):  # type: ignore[type-arg]
    """The file as text; every fault of it is told with its place, and nothing is kept before all is right."""

    text = forms.CharField(
        label=said("File", "文件"),
        strip=False,
        initial=FIRST,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 24, "class": "!font-mono", "spellcheck": "false"}),
        help_text=said(
            'As YAML: base, conditions, factors, seeds, hypotheses; or <a href="/experiments/new">by the form</a>.',
            'YAML：base、条件或因素、种子、假设、报告；或<a href="/experiments/new">使用表单</a>。',
        ),
    )
    usd = forms.DecimalField(
        label=said("At most, in dollars", "费用上限（美元）"),
        min_value=0,
        required=False,
        widget=UnfoldAdminDecimalFieldWidget(),
        help_text=said("Of all its runs together; empty: the site's own limit.", "全部运行合计；留空：用站点的上限。"),
    )

    class Meta:
        model = Experiment
        fields = ("slug", "pace", "at_once")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            self.initial["text"] = file_of(self.instance)
            self.initial["usd"] = self.instance.limits.get("usd")

    def clean_text(self) -> str:
        """The file, read and checked; what it holds is left in ``document``."""
        text: str = self.cleaned_data["text"]
        try:
            self.document: Any = parse_yaml(text, declaring.SOURCE)
            self.loaded = declaring.loaded_of(self.document)
        except (BadScenario, BadRequest, Refused) as error:
            raise forms.ValidationError(sentences_of(error)) from None
        except (TypeError, ValueError):
            raise forms.ValidationError(
                said(
                    "file: it must be a mapping, such as base: dilemma/noise-ladder",
                    "文件：须为映射，例如 base: dilemma/noise-ladder",
                )
            ) from None
        return text

    def clean(self) -> dict[str, Any]:
        """What stands beside the file, held to its bounds by the service that will keep it."""
        told: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return told
        usd = told["usd"]
        limits = {**self.instance.limits, "usd": None if usd is None else float(usd)}
        self.limits = {name: value for name, value in limits.items() if value is not None}
        try:
            declaring.checked(
                self.loaded, told["pace"], self.limits, self.instance.stop, self.instance.audience or None
            )
            declaring.slug_checked(self.instance.slug or told["slug"])
        except BadRequest as error:
            raise forms.ValidationError(sentences_of(error)) from None
        return told

    def kept(self) -> Experiment:
        """The draft as it is written."""
        told = self.cleaned_data
        asked: dict[str, Any] = {"document": self.document, "pace": told["pace"], "limits": self.limits}
        if self.instance.pk is None:
            return declaring.experiment_create(slug=told["slug"], at_once=told["at_once"], **asked)
        return declaring.experiment_change(experiment=self.instance, at_once=told["at_once"] or 0, **asked)


def file_of(experiment: Experiment) -> str:
    """Its file as YAML."""
    return yaml.safe_dump(dict(experiment.document), allow_unicode=True, sort_keys=False)


def sentences_of(error: Exception) -> list[str]:
    """What was wrong, each with its place, in the language of whoever reads it."""
    why = told(error, "")
    if not why.faults:
        return [sentences.sentence(language(), why.code, why.message, why.more)]
    return [f"{fault['path']}: {_said(fault)}" for fault in why.faults]


def _said(fault: Any) -> str:
    says = fault.get("says")
    return str(says[language()] if says else fault["message"])


def answer(experiment: Experiment, asker: HttpRequest) -> SafeString:
    """How far it is, and what its tests say once it is over: to look before is a look to be told of."""
    done = experiment.cells.filter(run__status__in=ENDED).count()
    played = said("{done} of {all} runs are over.", "已结束 {done}/{all} 次运行。")
    if experiment.frozen_at is None:
        return SafeString(said("Nothing has been played yet.", "尚未进行。"))
    line = str(played).format(done=done, all=experiment.cells.count())
    page = format_html(
        '<a class="underline" href="{}">{}</a>',
        reverse("experiment_page", args=[experiment.slug]),
        said("Its page, with tests, figures and report", "其页面，含检验、图与报告"),
    )
    tests = tests_of(experiment, asker) if experiment.status in OVER else SafeString("")
    return format_html("<p>{}</p>{}<p>{}</p>", line, tests, page)


def tests_of(experiment: Experiment, asker: HttpRequest) -> SafeString:
    """A line a test, reckoned by a bulk worker; until that is done, a line that says so."""
    _ = asker.body  # read before: a copy has no stream
    asked = copy(asker)
    asked.path = asked.path_info = reverse("api:experiment_result", args=[experiment.slug])
    asked.META = {**asker.META, "QUERY_STRING": ""}
    response = experiment_result(asked, experiment.slug)
    if response.status_code != 200:
        waits = said("A worker reckons its tests; open this page again in a moment.", "后台正在检验；请稍后再看。")
        return format_html("<p>{}</p>", waits)
    words, lines = WORDS.book(language())["report"], []
    for one in json.loads(response.content)["comparisons"]:
        text, found = one["comparison"]["text"], one["difference"]
        numbers = [found["estimate"], found["low"], found["high"], one["p_adjusted"]]
        shown = ["–" if number is None else f"{number:.4g}" for number in numbers]
        name = text.get(language()) or one["comparison"]["hypothesis"]
        lines.append((name, words[f"verdict_{one['verdict']}"], contrast(one["comparison"]["weights"]), *shown))
    row = "<tr><td>{}</td><td><b>{}</b></td><td>{}</td><td>{} ({}, {})</td><td>p {}</td></tr>"
    row = row.replace("<td>", '<td class="p-2 text-left">')  # the theme gives tables no air
    return format_html('<div class="overflow-x-auto"><table>{}</table></div>', format_html_join("", row, lines))


class ExperimentAdmin(LogAdmin):
    form = ExperimentForm
    asker: ContextVar[HttpRequest] = ContextVar("asker")
    """Who looks at one: its answer is reckoned for them."""
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
        self.asker.set(request)
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
        return answer(one, self.asker.get())

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
            messages.error(request, f"{one.slug}: {' '.join(sentences_of(error))}")

"""An experiment in the admin: its file written and checked there, what came of it shown there."""

from __future__ import annotations

from typing import Any

import yaml
from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminTextareaWidget

from games.errors import sentences
from games.errors.faults import BadScenario, Refused
from games.errors.requests import BadRequest
from games.lab.scenarios.yamlfile import parse_yaml
from games.site.experiments import declaring
from games.site.models import ENDED, Experiment
from games.site.web.admintext import said
from games.site.web.errors import told
from games.site.web.refusals import language

FIRST = """\
title: {en: "Does generosity pay where hands slip?"}
base: dilemma/noise-ladder
seeds: 1..20
"""
"""What an empty form holds: a file that can be started as it is."""
OVER = ("finished", "cancelled", "stopped")


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


def answer(experiment: Experiment) -> SafeString:
    """What its tests say, once it is over: to look before would be a look to be told of."""
    done = experiment.cells.filter(run__status__in=ENDED).count()
    played = said("{done} of {all} runs are over.", "已结束 {done}/{all} 次运行。")
    if experiment.frozen_at is None:
        return SafeString(said("Nothing has been played yet.", "尚未进行。"))
    line = str(played).format(done=done, all=experiment.cells.count())
    page = format_html(
        '<a class="underline" href="{}">{}</a>',
        reverse("experiment_page", args=[experiment.slug]),
        said("Its page, with figures and report", "其页面，含图与报告"),
    )
    if experiment.status not in OVER:
        return format_html("<p>{}</p><p>{}</p>", line, page)
    from games.lab.analysis.report.hypothesescard import (
        hypotheses_card,  # statistics are loaded where they are asked for
    )
    from games.site.experiments.reading import result_of
    from games.site.experiments.reporting import labels_of

    found = hypotheses_card(result_of(experiment), labels_of(experiment, language()))
    for cell in ("th", "td"):  # the theme gives tables no air
        found = found.replace(f"<{cell}>", f'<{cell} class="p-2 text-left">')
    return format_html("<p>{}</p>{}<p>{}</p>", line, SafeString(found), page)

import pytest
from pydantic import ValidationError

from games.catalog.dilemma.config import DilemmaConfig


def refusal(**settings: object) -> str:
    with pytest.raises(ValidationError) as caught:
        DilemmaConfig.model_validate(settings)
    return str(caught.value.errors()[0]["msg"])


def test_defaults_are_the_source_s_payoffs() -> None:
    assert DilemmaConfig().payoffs == (5, 3, 1, 0)


@pytest.mark.parametrize(
    ("payoffs", "why"),
    [
        ({"temptation": 3}, "T > R > P > S is needed"),
        ({"punishment": 3}, "T > R > P > S is needed"),
        ({"sucker": 1}, "T > R > P > S is needed"),
        ({"temptation": 6}, "2R > T + S is needed (6 > 6 fails)"),
    ],
)
def test_payoffs_that_are_no_dilemma_are_refused_with_the_remedy(payoffs: dict[str, int], why: str) -> None:
    told = refusal(**payoffs)
    assert why in told
    assert "declared_not_a_dilemma: true" in told
    assert DilemmaConfig(declared_not_a_dilemma=True, **payoffs)


def test_payoffs_with_more_decimals_than_are_exact_are_refused() -> None:
    assert "more than 3 decimal places" in refusal(temptation=5.0001)
    assert DilemmaConfig(temptation=5.125).temptation == 5.125


def test_a_whole_payoff_stays_a_whole_number() -> None:
    assert isinstance(DilemmaConfig.model_validate({"temptation": 5.0}).temptation, int)


@pytest.mark.parametrize(
    "wrong",
    [
        {"stop_prob": 1.2},
        {"stop_prob": 0},
        {"noise_a": -0.1},
        {"noise_b": 1.01},
        {"rounds": 0},
        {"history_window": -1},
        {"rounds": 10_001},
        {"collapse_k": 0},
        {"temptation": float("nan")},
        {"temptation": float("inf")},
        {"fallback": "E"},
        {"unknown": 1},
    ],
)
def test_values_out_of_their_bounds_are_refused(wrong: dict[str, object]) -> None:
    assert refusal(**wrong)

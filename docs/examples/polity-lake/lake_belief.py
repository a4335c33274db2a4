"""A step of studies: how many fish does each of the others take? Stores mean and spread beside the answers."""

from statistics import mean, pstdev

from pydantic import BaseModel, Field


class Settings(BaseModel, extra="forbid"):
    others: int = Field(2, ge=1, le=11)
    most: int = Field(10, ge=1, le=100)


class Belief:
    settings = Settings
    stores = {"mean": "Mean of the fish that the others are thought to take.", "spread": "Their standard deviation."}

    def page(self, settings):
        def question(number):
            title = {"en": f"Person {number}: how many fish?", "zh": f"第 {number} 人：多少条鱼？"}
            return {"title": title, "type": "integer", "minimum": 0, "maximum": settings.most, "as": "likert"}

        text = {
            "en": "How many fish do you think each of the others takes?",
            "zh": "你认为其他每个人会捕多少条鱼？",
        }
        return {"text": text, "ask": {f"person{one}": question(one) for one in range(1, settings.others + 1)}}

    def score(self, settings, answers):
        given = list(answers.values())
        return {"mean": mean(given), "spread": pstdev(given)} if given else {}


belief = Belief()

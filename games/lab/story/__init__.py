"""The story of a run: what came of it and how, in five to eight sentences of each language, by rule from its log.

`games.lab.story.log` gathers the records, `finders` look for what a sentence tells, `telling` chooses, `wording` words
it. What is a game's own stands in its ``story.yaml``; a game without one is told by its measures and events.
"""

from games.lab.story.log import Log
from games.lab.story.shape import Headline, Sentence, Story
from games.lab.story.telling import headline, story
from games.lab.story.wording import plain_text

__all__ = ["Headline", "Log", "Sentence", "Story", "headline", "plain_text", "story"]

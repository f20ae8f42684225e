"""What the two scores are called within a sentence."""

from __future__ import annotations

from typing import Final

from mvdesk.scoring.saying import tr

KIND_WORDS: Final = {"confidence": tr("confidence"), "importance": tr("importance")}

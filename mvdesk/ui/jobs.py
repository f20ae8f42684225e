"""Background work: a lane where the newest job under a key wins, and a lane for writes."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class CancelToken:
    """Tells a running job that nobody waits for its result any more."""

    __slots__ = ("_cancelled",)

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True

    def is_cancelled(self) -> bool:
        return self._cancelled


@dataclass(slots=True, eq=False)
class _Job:
    """One piece of work with everyone who waits for it."""

    key: str
    token: CancelToken
    done: Callable[[Any], None]
    failed: Callable[[BaseException], None] | None
    dropped: Callable[[Any], None] | None = None
    future: Future[Any] | None = None


class Jobs(QObject):
    """Runs plain functions off the GUI thread. Use it from the GUI thread only.

    Results, failures included, arrive on the GUI thread. A failure that the caller did not
    ask for goes to `failed` with the job's key.
    """

    failed = Signal(str, object)  # key, exception
    became_idle = Signal()
    _ended = Signal(object)  # _Job; emitted by worker threads

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # One more than the two that go on for seconds after a large vault was opened.
        self._pool = ThreadPoolExecutor(max_workers=3, thread_name_prefix="mvdesk-job")
        self._urgent = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mvdesk-job")
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mvdesk-write")
        self._newest: dict[str, _Job] = {}
        self._all: set[_Job] = set()
        self._open = True
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        key: str,
        work: Callable[[CancelToken], T],
        done: Callable[[T], None],
        *,
        failed: Callable[[BaseException], None] | None = None,
        dropped: Callable[[T], None] | None = None,
        urgent: bool = False,
    ) -> None:
        """Compute `work` and pass its result to `done`, unless a newer job has this key.

        `dropped` gets a result that nobody waits for any more, for what must be closed.
        `urgent` work, such as a frame that somebody waits for, queues behind no other.
        """
        if not self._open:
            return
        self.cancel(key)
        job = _Job(key, CancelToken(), done, failed, dropped)
        self._newest[key] = job
        self._start(self._urgent if urgent else self._pool, job, partial(work, job.token))

    def write(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        *,
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Run `work` in the write lane: one at a time, in order, never dropped."""
        if self._open:
            self._start(self._writer, _Job("write", CancelToken(), done, failed), work)

    def cancel(self, key: str) -> None:
        """Forget the job under `key`: its result will not be delivered."""
        if older := self._newest.pop(key, None):
            older.token.cancel()
            if older.future is not None:
                older.future.cancel()

    def cancel_all(self) -> None:
        """Forget all jobs but the writes."""
        for key in tuple(self._newest):
            self.cancel(key)

    def is_running(self, key: str) -> bool:
        return key in self._newest

    def is_idle(self) -> bool:
        """True when nothing runs and every result was delivered."""
        return not self._all

    def shut_down(self) -> None:
        """Finish the writes, drop the rest, join the threads. Nothing is delivered after it."""
        self._open = False
        self.cancel_all()
        for pool in (self._pool, self._urgent):
            pool.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        for job in self._all:
            self._drop(job)
            job.future = None
        self._all.clear()

    def _start(self, pool: ThreadPoolExecutor, job: _Job, work: Callable[[], object]) -> None:
        self._all.add(job)
        job.future = pool.submit(work)
        job.future.add_done_callback(partial(self._report, job))

    def _report(self, job: _Job, _future: Future[Any]) -> None:
        self._ended.emit(job)

    def _deliver(self, ended: object) -> None:
        job = cast("_Job", ended)
        if job not in self._all:
            return  # shut down meanwhile
        self._all.discard(job)
        wanted = job.key == "write" or self._newest.get(job.key) is job
        if not wanted:
            self._drop(job)
        else:
            self._newest.pop(job.key, None)
            self._hand_over(job)
        # It knows the job, too: the result would stay until Python looks for such rings, which
        # it seldom does. Each step of a slider would leave the scores of all memories behind.
        job.future = None
        if not self._all:
            self.became_idle.emit()

    def _hand_over(self, job: _Job) -> None:
        assert job.future is not None
        error = job.future.exception()
        if error is None and _is_there(job.done):
            job.done(job.future.result())
        elif error is None:
            self._drop(job)
        elif job.failed is not None:
            job.failed(error)
        else:
            self.failed.emit(job.key, error)

    @staticmethod
    def _drop(job: _Job) -> None:
        future = job.future
        if job.dropped is None or future is None or future.cancelled() or future.exception():
            return
        job.dropped(future.result())


def _is_there(done: Callable[..., None]) -> bool:
    """Whether the one who asked is still there to be told: Qt deletes children with parents."""
    while isinstance(done, partial):
        done = done.func
    owner = getattr(done, "__self__", None)
    return not isinstance(owner, QObject) or Shiboken.isValid(owner)

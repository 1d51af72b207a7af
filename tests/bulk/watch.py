"""Watches the processes below this one: the most memory of its own that any of them has, and the death of one of them halfway."""

import threading

import psutil

# clock: how often processes are looked at; no check depends on how long a run takes
EACH = 0.05


class Watch:
    """`with Watch(names) as watch`: looks at processes whose command line has one of these words.

    With `kills`, one such process is killed once it has used that many seconds of a processor; `watch.killed` says whether it was.
    """

    def __init__(self, words, kills=None):
        self.words, self.kills = words, kills
        self.most, self.killed = 0, False
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def look(self):
        own = psutil.Process()
        while not self.ended.wait(EACH):
            for process in own.children(recursive=True):
                try:
                    line = " ".join(process.cmdline())
                    if not any(word in line for word in self.words):
                        continue
                    memory = process.memory_info()
                    # Memory that all workers share is not counted: Ray's store of objects, libraries.
                    self.most = max(self.most, memory.rss - memory.shared)
                    used = process.cpu_times()
                    if self.kills is not None and not self.killed and used.user + used.system >= self.kills:
                        process.kill()
                        self.killed = True
                except psutil.Error:
                    continue

    @property
    def megabytes(self):
        return self.most >> 20

"""Celery with its SQS transport: a worker in this process, whose own loop
polls, and callers that wait for what the tasks leave behind."""

import threading
import time

import celery
import kombu
from celery import Celery
from celery.contrib.testing.worker import start_worker

from steps import BODY, ENDPOINT, done, same, step, version

version(f"{celery.__version__} (kombu {kombu.__version__})")

app = Celery("clients", broker="sqs://")
app.conf.update(
    broker_transport_options={
        "region": "us-east-1", "is_secure": False, "wait_time_seconds": 2, "visibility_timeout": 30,
        "endpoint_url": ENDPOINT,
    },
    broker_url="sqs://test:test@" + ENDPOINT.removeprefix("http://"),
    task_default_queue="jobs",
    task_acks_late=True,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
)

seen, arrived = [], threading.Condition()


def counts(queue="jobs"):
    """The messages that are visible and in flight, as the transport's own client sees it."""
    with app.connection_for_read() as connection:
        sqs = connection.default_channel.sqs()
        url = sqs.get_queue_url(QueueName=queue)["QueueUrl"]
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        got = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return [got[name] for name in names]


def note(value):
    with arrived:
        seen.append(value)
        arrived.notify_all()


def wait(n, seconds=30):
    with arrived:
        if not arrived.wait_for(lambda: len(seen) >= n, seconds):
            raise AssertionError(f"only {len(seen)} of {n} tasks ran within {seconds} s: {seen}")


@app.task(name="keep")
def keep(value):
    note(value)


@app.task(name="again", bind=True, max_retries=1)
def again(self, value):
    note((value, self.request.retries))
    if not self.request.retries:
        raise self.retry(countdown=1)


with step("send"):
    keep.delay(BODY)

with step("receive"), start_worker(app, pool="threads", perform_ping_check=False, loglevel="ERROR",
                                   shutdown_timeout=30):
    wait(1)
    same("argument", seen[0], BODY)
    with step("long-poll"):
        keep.delay("wake up")
        wait(2)
        same("argument", seen[1], "wake up")
    with step("many"):
        for i in range(20):
            keep.delay(i)
        wait(22)
        same("arguments", sorted(seen[2:]), list(range(20)))
    with step("countdown"):
        keep.apply_async(["later"], countdown=1)
        wait(23)
    with step("retry"):
        again.delay("x")
        wait(25)
        same("tries", seen[23:], [("x", 0), ("x", 1)])
    with step("acknowledged"):
        end = time.monotonic() + 30
        while counts() != ["0", "0"]:
            if time.monotonic() > end:
                raise AssertionError(f"visible and in flight: {counts()}")

with step("purge"):
    # Of another queue: the worker's last poll may outlive it in this process.
    for value in "xy":
        keep.apply_async([value], queue="others")
    same("sent", counts("others"), ["2", "0"])
    with app.connection_for_write() as connection:
        connection.default_channel.queue_purge("others")
    same("left", counts("others"), ["0", "0"])

done()

"""Stores the budget in Valkey or Redis, where one script records and counts in one step."""

from typing import Any
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from pms.foundation.budget.rolling_window import RollingWindowStorage, Tally, kept_at_most

SCHEMES = [f"budget+{scheme}" for scheme in ("redis", "rediss", "unix", "valkey", "valkeys")]
PREFIX = "pms-budget:"
PATIENCE_SECONDS = 3.0
# Much longer than the window, because the newest instant is also the key's last use.
IDLE_SECONDS = 400 * 24 * 3600

# A list of instants, oldest first. Numbers are returned as text: Lua rounds them to 14 digits.
RECORD = """
local key, now, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local budget, kept = tonumber(ARGV[3]), tonumber(ARGV[4])
local function at(position) return tonumber(redis.call('LINDEX', key, position) or nil) end

local newest = at(-1)
-- A clock that ran far ahead was set right; its requests would count for too long.
while newest and newest > now + window do
  redis.call('RPOP', key)
  newest = at(-1)
end
local instant = math.max(now, newest or now)
local oldest = at(0)
while oldest and oldest <= instant - window do
  redis.call('LPOP', key)
  oldest = at(0)
end
local count = redis.call('RPUSH', key, string.format('%.0f', instant))
local turning = false
if count > budget and budget > 0 then turning = redis.call('LINDEX', key, -budget) end
if count > kept then redis.call('LTRIM', key, -kept, -1) end
redis.call('EXPIRE', key, ARGV[5])
return {count, string.format('%.0f', oldest or instant), turning}
"""
# Redis's URL schemes for those of Valkey.
SPOKEN = {"valkey": "redis", "valkeys": "rediss"}


class ValkeyBudget(RollingWindowStorage):
    """The storage for several machines that share a Valkey or Redis server."""

    STORAGE_SCHEME = SCHEMES

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        scheme = urlsplit(uri).scheme
        spoken = scheme.removeprefix("budget+")
        self._client = redis.Redis.from_url(
            SPOKEN.get(spoken, spoken) + uri[len(scheme) :],
            socket_timeout=PATIENCE_SECONDS,
            socket_connect_timeout=PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 1),  # once, for a server restarted while idle
            decode_responses=True,
        )
        self._record = self._client.register_script(RECORD)

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        return redis.RedisError

    def record(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        count, oldest_us, turning_us = self._record(
            [PREFIX + bucket], [now_us, window_us, limit, kept_at_most(limit), IDLE_SECONDS]
        )
        return Tally(count, int(oldest_us), None if turning_us is None else int(turning_us))

    def instants(self, bucket: str) -> list[int]:
        return [int(at_us) for at_us in self._client.lrange(PREFIX + bucket, 0, -1)]

    def newest(self, buckets: list[str]) -> dict[str, int]:
        with self._client.pipeline(transaction=False) as pipeline:
            for bucket in buckets:
                pipeline.lindex(PREFIX + bucket, -1)
            found = zip(buckets, pipeline.execute(), strict=True)
        return {bucket: int(at_us) for bucket, at_us in found if at_us is not None}

    def check(self) -> bool:
        try:
            return bool(self._client.ping())
        except self.base_exceptions:
            return False

    def clear(self, key: str) -> None:
        self._client.delete(PREFIX + key)

    def reset(self) -> None:
        for key in self._client.scan_iter(f"{PREFIX}*"):
            self._client.delete(key)

    def close(self) -> None:
        self._client.close()

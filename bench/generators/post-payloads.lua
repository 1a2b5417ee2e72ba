-- wrk -s post-payloads.lua <url> -- <file> <first> <most>: posts so many lines of a file from that one on, and begins anew when
-- they are used up. A line is a signature, a space and a body; all bodies have the same length, so that only those two parts of a
-- request differ.
local before, between, after
local payloads = {}
local threads = {}
used = 0

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local skipped, most = tonumber(args[2]), tonumber(args[3])
  for line in io.lines(args[1]) do
    if skipped > 0 then skipped = skipped - 1 else table.insert(payloads, line) end
    if #payloads == most then break end
  end
  local space = payloads[1]:find(" ", 1, true)
  local signature, body = payloads[1]:sub(1, space - 1), payloads[1]:sub(space + 1)
  local whole = wrk.format("POST", nil, { ["Content-Type"] = "application/json", ["X-Hub-Signature-256"] = signature }, body)
  local first, last = whole:find(signature, 1, true)
  local bodyFirst, bodyLast = whole:find(body, last, true)
  before, between, after = whole:sub(1, first - 1), whole:sub(last + 1, bodyFirst - 1), whole:sub(bodyLast + 1)
end

function request()
  local line = payloads[used % #payloads + 1]
  used = used + 1
  local space = line:find(" ", 1, true)
  return before .. line:sub(1, space - 1) .. between .. line:sub(space + 1) .. after
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d,"used":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, threads[1]:get("used")))
end

-- wrk -s open-links.lua <url> -- <file> <first> <user agent>: opens the links whose codes are the lines of a file, from that one
-- on. All codes have the same length, so that only they differ between requests.
local before, after
local codes = {}
local threads = {}
used = 0

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local first = tonumber(args[2])
  local all = {}
  for line in io.lines(args[1]) do table.insert(all, line) end
  for index = 1, #all do codes[index] = all[(first + index - 1) % #all + 1] end
  local whole = wrk.format("GET", "/l/" .. codes[1], { ["User-Agent"] = args[3], ["Accept"] = "text/html" })
  local from, to = whole:find(codes[1], 1, true)
  before, after = whole:sub(1, from - 1), whole:sub(to + 1)
end

function request()
  used = used + 1
  return before .. codes[(used - 1) % #codes + 1] .. after
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d,"used":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, threads[1]:get("used")))
end

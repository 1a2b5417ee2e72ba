-- wrk -s send-sms.lua <url> -- <digits> [<token> <body>]: asks for the same again and again, each time with other digits; with a
-- body it posts. The request is put together once and cut at the digits.
local before, after
local count = 0

function init(args)
  if args[3] then
    wrk.method = "POST"
    wrk.headers["Authorization"] = "Token " .. args[2]
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = args[3]
  end
  local whole = wrk.format()
  local first, last = whole:find(args[1], 1, true)
  before, after = whole:sub(1, first - 1), whole:sub(last + 1)
end

function request()
  count = count + 1
  return before .. string.format("%07d", count) .. after
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end

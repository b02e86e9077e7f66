#!/bin/sh
# The page. Asks the store by its service name, so that what it shows proves that the two can talk.
escape() { printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }

if answer=$(timeout 5 wget -q -O - "$STORE/cgi-bin/visit"); then
    visits=${answer%% *}
    store=${answer#* }
    said="The store answered: visit number <b id=\"visits\">$(escape "$visits")</b> (container <code>$(escape "$store")</code>)."
    status='200 OK'
else
    said="The store at <code>$(escape "$STORE")</code> did not answer."
    status='502 Bad Gateway'
fi
if [ -n "$BERTH_URL_WEB" ]; then
    where="This preview was started by Berth at <code>$(escape "$BERTH_URL_WEB")</code>."
else
    where='This copy was not started by Berth: it reads no <code>BERTH_URL_WEB</code>.'
fi

printf 'Status: %s\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\r\n' "$status"
cat <<PAGE
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hello from Berth's example</title>
<style>
  :root { color-scheme: light dark; --accent: #0b6e69; }
  @media (prefers-color-scheme: dark) { :root { --accent: #4fb8b1; } }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 38rem; margin: 14vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.5rem; color: var(--accent); margin: 0.5rem 0; }
  svg { color: var(--accent); }
  code { font-family: ui-monospace, monospace; font-size: 0.9em; }
</style>
<svg width="48" height="48" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 4v8a7 7 0 0 0 14 0V4" fill="none" stroke="currentColor" stroke-width="2.6"/><circle cx="10" cy="9" r="2.6" fill="currentColor"/></svg>
<h1>Hello. Two services, one preview.</h1>
<p id="store">$said</p>
<p id="where">$where</p>
<p>You asked for <code>$(escape "$HTTP_HOST")</code>; container <code>$(escape "$(hostname)")</code> served this page. Reload it and the number grows. It lives on the volume <code>visits</code>.</p>
PAGE

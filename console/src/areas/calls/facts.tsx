import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { Schema } from '../../api/index.ts';
import { sayLength } from '../../parts/audio/sound.ts';
import { countryName } from '../../parts/fields/country.ts';
import { type FactRow, Facts, Json, Phone, Time, useContactRow } from '../../parts/index.ts';

const byWords: Record<string, string> = {
  CALLER: 'The caller',
  CALLEE: 'The person called',
  PLATFORM: 'Parley (end of the call flow)',
  API: 'A request to the API',
  NETWORK: 'The network',
};

/** The record of a call in words; what does not apply is left out. */
export function CallFacts({ call }: { call: Schema<'Call'> }) {
  const contact = useContactRow(call.direction === 'INBOUND' ? call.from : call.to);
  const own = (
    <Anchor component={Link} href={`/numbers/${call.number}`} size="sm">
      <Phone number={call.number} copy={false} />
    </Anchor>
  );
  const rows: FactRow[] = [
    contact,
    ['Your number', own],
    ['From', call.from ? <Phone key="from" number={call.from} /> : 'Withheld'],
    ['To', <Phone key="to" number={call.to} />],
    ['Caller’s country', countryName(call.caller_country)],
    ['Last number rung', call.target && <Phone number={call.target} />],
    ['Connected with', call.bridge_to && <Phone number={call.bridge_to} />],
    ['Route', call.route],
    ['Digits', call.digits],
    ['Label', call.call_tracking],
    ['First call', call.first_time_caller === null ? '' : call.first_time_caller ? 'Yes' : 'No, a returning caller'],
    ['Spoken', call.tts],
    ['Language', call.tts === '' ? '' : call.tts_language],
    ['Played', call.audio_file],
    ['Started', call.started && <Time at={call.started} exact />],
    ['Answered', call.answered && <Time at={call.answered} exact />],
    ['Ended', call.ended && <Time at={call.ended} exact />],
    ['Rang', sayLength(call.ring_seconds)],
    ['Talked', sayLength(call.talk_seconds)],
    ['Total duration', sayLength(call.total_seconds)],
    ['Hung up by', byWords[call.hung_up_by] ?? ''],
    ['Why', [call.description, call.sip_code && `SIP ${call.sip_code}`].filter(Boolean).join(' · ')],
  ];
  return (
    <Stack>
      <Facts rows={rows} />
      {Object.keys(call.meta_data).length > 0 && <Json value={call.meta_data} title="Metadata" open />}
    </Stack>
  );
}

// What SIPp does beyond its own scenarios.

const head = '<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="x">';
const copied =
  '[last_Via:]\n[last_From:]\n[last_To:];tag=[call_number]\n[last_Call-ID:]\n[last_CSeq:]\n[last_Record-Route:]';

/** Refuses every call. */
export const refusing = (status: string): string => `${head}
<recv request="INVITE"/>
<send retrans="500"><![CDATA[
SIP/2.0 ${status}
${copied}
Content-Length: 0

]]></send>
<recv request="ACK"/>
</scenario>`;

/** Rings, and lets it ring until the caller has enough. */
export const unanswering = `${head}
<recv request="INVITE"/>
<send><![CDATA[
SIP/2.0 180 Ringing
${copied}
Content-Length: 0

]]></send>
<recv request="CANCEL"/>
<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:];tag=[call_number]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>
</scenario>`;

const dialled = `<send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=user1 53655765 2353687637 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 8 101
a=rtpmap:8 PCMA/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-11,16
]]></send>
<recv response="100" optional="true"/>
<recv response="180" optional="true"/>`;

const invite = `${dialled}
<recv response="200" rrs="true"/>
<send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>`;

const bye = `<send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 9 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200"/>
</scenario>`;

/** Calls, and expects to be refused. */
export const refused = (status: number): string => `${head}
${dialled}
<recv response="${status}"/>
<send><![CDATA[
ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
CSeq: 1 ACK
Content-Length: 0

]]></send>
</scenario>`;

const says = (pcap: string): string =>
  pcap === '' ? '' : `<nop><action><exec play_pcap_audio="${pcap}"/></action></nop>`;

/** Calls, says something, and hangs up after a while. */
export const talking = (pcap: string, pauseMs: number): string => `${head}
${invite}
${says(pcap)}
<pause milliseconds="${pauseMs}"/>
${bye}`;

interface Answering {
  /** What it says when it has answered; '': nothing. */
  says?: string;
  /** What it says before, and for how long; '': nothing. */
  early?: string;
  earlyMs?: number;
  /** Where it listens; left out: where SIPp does. */
  ear?: number;
}

/** Rings, answers, and waits until the caller has enough. */
export const answering = ({ says: said = '', early = '', earlyMs = 0, ear }: Answering): string => `${head}
<recv request="INVITE"/>
<send><![CDATA[
SIP/2.0 180 Ringing
${copied}
Content-Length: 0

]]></send>
${early === '' ? '' : `<send>${withSdp('183 Session Progress', ear)}</send>${says(early)}`}
<pause milliseconds="${earlyMs}"/>
<send retrans="500">${withSdp('200 OK', ear)}</send>
<recv request="ACK"/>
${says(said)}
<recv request="BYE"/>
<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>
</scenario>`;

const withSdp = (status: string, ear: number | undefined): string => `<![CDATA[
SIP/2.0 ${status}
${copied}
Contact: <sip:[local_ip]:[local_port]>
Content-Type: application/sdp
Content-Length: [len]

v=0
o=user2 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio ${ear ?? '[media_port]'} RTP/AVP 8
a=rtpmap:8 PCMA/8000
]]>`;

/** Calls, presses 1 and #, and hangs up after a while. */
export const pressing = (pauseMs: number): string => `${head}
${invite}
<pause milliseconds="${pauseMs}"/>
<nop><action><exec play_pcap_audio="/usr/share/sip-tester/dtmf_2833_1.pcap"/></action></nop>
<pause milliseconds="500"/>
<nop><action><exec play_pcap_audio="/usr/share/sip-tester/dtmf_2833_pound.pcap"/></action></nop>
<pause milliseconds="1500"/>
${bye}`;

/** Calls, and puts us on hold and back before it hangs up. */
export const holding = `${head}
${invite}
${reinvite(2, 'sendonly')}
<pause milliseconds="300"/>
${reinvite(3, 'sendrecv')}
<pause milliseconds="300"/>
${bye}`;

function reinvite(cseq: number, direction: string): string {
  const answered = direction === 'sendonly' ? 'recvonly' : 'sendrecv';
  return `<send retrans="500"><![CDATA[
INVITE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: ${cseq} INVITE
Contact: <sip:caller@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=user1 53655765 235368763${cseq} IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 8
a=rtpmap:8 PCMA/8000
a=${direction}
]]></send>
<recv response="100" optional="true"/>
<recv response="200"><action>
<ereg regexp="a=${answered}" search_in="body" check_it="true" assign_to="d${cseq}"/><log message="[$d${cseq}]"/>
</action></recv>
<send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: ${cseq} ACK
Max-Forwards: 70
Content-Length: 0

]]></send>`;
}

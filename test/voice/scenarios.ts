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

const invite = `<send retrans="500"><![CDATA[
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
<recv response="180" optional="true"/>
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

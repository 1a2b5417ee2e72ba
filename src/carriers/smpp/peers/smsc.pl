# A small SMS centre on Perl's Net::SMPP, for one connection after the other. It tells its port, then every PDU it hears; what a
# message says decides what else it does: "MO" has a person write back, "PING" has it ask whether we are there.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34, async => 1) or die "no listener: $!";
print 'port ', $listener->sockport, "\n";
my $next_id = 5000;

sub receipt {
    my ($client, $pdu, $id) = @_;
    my $text = "id:$id sub:001 dlvrd:001 submit date:2611150930 done date:2611150931 stat:DELIVRD err:000 text:";
    $client->deliver_sm(
        source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr},
        esm_class => 0x04, data_coding => $pdu->{data_coding}, short_message => $text,
        receipted_message_id => "$id\0", message_state => pack('C', 2), async => 1,
    );
}

sub submit {
    my ($client, $pdu) = @_;
    my $id = $next_id++;
    my $body = $pdu->{short_message};
    printf "submit %s %s %d %d %d %s\n", $pdu->{source_addr}, $pdu->{destination_addr}, $pdu->{esm_class},
        $pdu->{data_coding}, $pdu->{registered_delivery}, unpack('H*', $body);
    $client->submit_sm_resp(seq => $pdu->{seq}, message_id => $id);
    receipt($client, $pdu, $id) if $pdu->{registered_delivery};
    $client->enquire_link(async => 1) if $body eq 'PING';
    return if $body ne 'MO';
    $client->deliver_sm(
        source_addr_ton => 1, source_addr_npi => 1, source_addr => $pdu->{destination_addr},
        dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $pdu->{source_addr},
        data_coding => 8, short_message => pack('n*', 0x4f60, 0x597d, 0x20ac), async => 1,
    );
}

while (my $client = $listener->accept) {
    while (my $pdu = $client->read_pdu) {
        my $command = $pdu->{cmd};
        if    ($command == Net::SMPP::CMD_bind_transceiver) {
            printf "bind %s %s %x\n", $pdu->{system_id}, $pdu->{password}, $pdu->{interface_version};
            my $status = $pdu->{password} eq 'secret' ? 0 : 0x0e;
            $client->bind_transceiver_resp(seq => $pdu->{seq}, status => $status, system_id => 'perl');
        }
        elsif ($command == Net::SMPP::CMD_submit_sm) { submit($client, $pdu) }
        elsif ($command == Net::SMPP::CMD_enquire_link) {
            print "enquired\n";
            $client->enquire_link_resp(seq => $pdu->{seq});
        }
        elsif ($command == Net::SMPP::CMD_unbind) {
            print "unbound\n";
            $client->unbind_resp(seq => $pdu->{seq});
        }
        elsif ($command & 0x80000000) { printf "answer %x %d\n", $command, $pdu->{status} }
    }
    close $client;
}

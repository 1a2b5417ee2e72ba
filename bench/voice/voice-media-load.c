/* Calls for the row relay: for each, two telephones that send 50 packets a second to a port each and get what the other sent.
 * In C, since a generator in Node would need more of the processor than what it measures.
 * voice-media-load <seconds> <one's port>:<other's port> ...   prints RESULT and JSON. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { packet_length = 172, frame_ns = 20000000, longest_us = 1000000 };

static unsigned histogram[longest_us / 10 + 1];

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

struct phone { int fd; unsigned source; };

static long received, sent, broken;

static void receive(int fd) {
  unsigned char packet[2048];
  for (;;) {
    ssize_t length = recv(fd, packet, sizeof packet, MSG_DONTWAIT);
    if (length < 0) return;
    long long at;
    if (length != packet_length) { broken++; continue; }
    memcpy(&at, packet + 12, sizeof at);
    /* Silence, which a session begins with, tells no time. */
    if (at == -1) continue;
    received++;
    long long us = (now_ns() - at) / 1000;
    histogram[(us < 0 ? 0 : us > longest_us ? longest_us : us) / 10]++;
  }
}

static double quantile_ms(double part) {
  long seen = 0;
  for (int n = 0; n <= longest_us / 10; n++) {
    seen += histogram[n];
    if (seen >= part * received) return n / 100.0;
  }
  return longest_us / 1000.0;
}

int main(int count, char **arguments) {
  double seconds = atof(arguments[1]);
  int phones = (count - 2) * 2;
  struct phone *all = calloc(phones, sizeof *all);
  int poll = epoll_create1(0);
  for (int n = 0; n < phones; n++) {
    char *pair = arguments[2 + n / 2];
    int port = atoi(n % 2 ? strchr(pair, ':') + 1 : pair);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    all[n].fd = socket(AF_INET, SOCK_DGRAM, 0);
    all[n].source = n + 1;
    if (connect(all[n].fd, (struct sockaddr *)&to, sizeof to)) { perror("connect"); return 1; }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = all[n].fd};
    epoll_ctl(poll, EPOLL_CTL_ADD, all[n].fd, &event);
  }
  /* The first second lets the sessions learn where the telephones are, and is not counted. */
  long frames = (long)((seconds + 1) * 50), warm = 50;
  long long start = now_ns() + 50000000;
  struct epoll_event events[256];
  for (long beat = 0; beat < frames * phones;) {
    /* Spread over the frame: telephones do not speak in chorus. */
    long long due = start + beat * frame_ns / phones;
    if (now_ns() >= due) {
      struct phone *phone = &all[beat % phones];
      long frame = beat / phones;
      unsigned char packet[packet_length] = {0x80, 0, frame >> 8, frame};
      unsigned timestamp = htonl(frame * 160), source = htonl(phone->source);
      memcpy(packet + 4, &timestamp, 4);
      memcpy(packet + 8, &source, 4);
      long long at = frame < warm ? -1 : now_ns();
      memcpy(packet + 12, &at, sizeof at);
      if (send(phone->fd, packet, sizeof packet, 0) == packet_length) sent += frame >= warm;
      if (++beat % 16) continue;
    }
    int ready = epoll_wait(poll, events, 256, now_ns() < due ? 1 : 0);
    for (int n = 0; n < ready; n++) receive(events[n].data.fd);
  }
  long long end = now_ns() + 1000000000LL;
  while (now_ns() < end && received < sent) {
    int ready = epoll_wait(poll, events, 256, 50);
    for (int n = 0; n < ready; n++) receive(events[n].data.fd);
  }
  printf("RESULT {\"sent\":%ld,\"received\":%ld,\"broken\":%ld,\"p50Ms\":%.2f,\"p99Ms\":%.2f}\n", sent, received, broken,
         quantile_ms(0.5), quantile_ms(0.99));
  return 0;
}

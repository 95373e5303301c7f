// Metrics of the process, with the names that Prometheus clients use. They are read at each scrape.

import {readdirSync} from 'node:fs';
import {Counter, Gauge, type Registry} from 'prom-client';

export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value !== undefined) this.set(value);
      },
    });
  let counted = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process in user and system mode.',
    registers,
    collect() {
      const {user, system} = process.cpuUsage();
      const seconds = (user + system) / 1e6;
      this.inc(Math.max(0, seconds - counted));
      counted = seconds;
    },
  });
  const started = Date.now() / 1000 - process.uptime();
  gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () => started);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Open file descriptors, where the system tells them.', openFiles);
  const memory = (name: 'heapUsed' | 'heapTotal' | 'external') => () => process.memoryUsage()[name];
  gauge('nodejs_heap_size_used_bytes', 'Used memory of the JavaScript heap.', memory('heapUsed'));
  gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.', memory('heapTotal'));
  gauge('nodejs_external_memory_bytes', 'Memory of buffers outside of the heap.', memory('external'));
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

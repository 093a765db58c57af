import { Server } from 'lucide-react'
import type { ProcessFigures } from '#contract/health.ts'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { formatBytes, formatCount, formatDuration, processName } from './format.ts'
import { Figure } from './Overview.tsx'

/** Shows every process with its own figures. */
export function ProcessList({ processes }: { processes: ProcessFigures[] }) {
  return (
    <section aria-labelledby="health-processes" className="grid gap-4">
      <div>
        <h2 id="health-processes" className="text-xl font-bold">
          {m.health_processes()}
        </h2>
        <p className="max-w-prose text-ink-soft">{m.health_processes_text()}</p>
      </div>
      {processes.length === 0 ? (
        <EmptyState icon={Server} title={m.health_processes_none()} />
      ) : (
        <ul aria-labelledby="health-processes" className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
          {processes.map((process) => (
            <ProcessItem key={process.id} process={process} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ProcessItem({ process }: { process: ProcessFigures }) {
  const { disk_free_bytes: free, disk_total_bytes: total } = process
  return (
    <li className="grid">
      <Card className="grid content-start gap-4">
        <h3 className="flex items-center gap-2 font-bold">
          <Server aria-hidden="true" className="size-5 shrink-0 text-pine" />
          {processName(process)}
        </h3>
        <dl className="grid gap-2">
          <Figure label={m.health_version()}>{process.version}</Figure>
          <Figure label="Node.js">{process.node}</Figure>
          <Figure label={m.health_started()}>
            <RelativeTime iso={process.started_at} />
          </Figure>
          <Figure label={m.health_streams()}>{formatCount(process.streams)}</Figure>
          <Figure label={m.health_pool()}>
            {m.health_pool_text({ used: process.pool_in_use, size: process.pool_size, waiting: process.pool_waiting })}
          </Figure>
          <Figure label={m.health_delay()}>{formatDuration(process.event_loop_delay_ms)}</Figure>
          <Figure label={m.health_memory()}>{formatBytes(process.memory_bytes)}</Figure>
          <Figure label={m.health_disk()}>
            {free === null || total === null
              ? m.health_disk_none()
              : m.health_disk_text({ free: formatBytes(free), total: formatBytes(total) })}
          </Figure>
        </dl>
      </Card>
    </li>
  )
}

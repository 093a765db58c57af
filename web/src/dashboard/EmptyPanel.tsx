import type { LucideIcon } from 'lucide-react'

/** An empty list inside a panel: what will be there. */
export function EmptyPanel({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <p className="flex items-start gap-3 rounded-xl bg-sunken p-4 text-ink-soft">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  )
}

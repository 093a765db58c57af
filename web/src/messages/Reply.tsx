import { CornerDownRight } from 'lucide-react'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { MessageText } from './MessageText.tsx'

/** The reply to a message, shown to both sides. */
export function Reply({ title, text, at }: { title: string; text: string; at: string | null }) {
  return (
    <div className="grid gap-1 rounded-xl bg-pine-soft p-4">
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
        <span className="inline-flex items-center gap-2 font-bold text-pine">
          <CornerDownRight aria-hidden="true" className="size-4 shrink-0" />
          {title}
        </span>
        {at && <RelativeTime iso={at} />}
      </p>
      <MessageText text={text} />
    </div>
  )
}

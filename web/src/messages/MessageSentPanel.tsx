import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'

type Props = { id: string; plate: string; onAnother: () => void }

/** Says that the message was sent, to which plate, and what happens next. */
export function MessageSentPanel({ id, plate, onAnother }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true }) // the form is gone, and the focus with it
    scrollTo({ top: 0 })
  }, [])
  return (
    <Card className="grid justify-items-start gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <CircleCheck aria-hidden="true" className="size-8 text-good" />
        <h2 ref={heading} tabIndex={-1} className="text-2xl font-extrabold">
          {m.send_done_title()}
        </h2>
      </div>
      <Plate plate={plate} />
      <div className="grid max-w-prose gap-2">
        <p>{m.send_done_next()}</p>
        <p className="text-ink-soft">{m.send_done_reply()}</p>
      </div>
      <div className="flex w-full flex-col gap-3 pt-1 sm:flex-row">
        <ButtonLink to={paths.messages('sent', id)} variant="primary">
          {m.send_done_see_sent()}
        </ButtonLink>
        <Button onClick={onAnother}>{m.send_done_another()}</Button>
      </div>
    </Card>
  )
}

import { type ReactNode, useId, useState } from 'react'
import { focusOnMount } from '~/auth/focus-on-mount'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'

export type Answer = { text: string; act: () => Promise<void>; variant?: 'primary' | 'ghost' }

type Props = { title: string; answers: Answer[]; children: ReactNode }

/** Asks one question, with a button for each answer. */
export function Question({ title, answers, children }: Props) {
  const titleId = useId()
  const [pending, setPending] = useState<Answer['text'] | null>(null)
  const choose = async ({ text, act }: Answer) => {
    if (pending !== null) return
    setPending(text)
    await act()
    setPending(null)
  }
  return (
    <section aria-labelledby={titleId}>
      <h1
        id={titleId}
        ref={focusOnMount}
        tabIndex={-1}
        // smaller than other titles: it contains an address
        className="outline-none pb-6 text-2xl font-extrabold wrap-anywhere sm:text-3xl"
      >
        {title}
      </h1>
      <Card className="grid gap-5">
        {children}
        {answers.map((answer) => (
          <Button
            key={answer.text}
            variant={answer.variant ?? 'secondary'}
            size="lg"
            className="text-balance wrap-anywhere"
            pending={pending === answer.text}
            onClick={() => void choose(answer)}
          >
            {answer.text}
          </Button>
        ))}
      </Card>
    </section>
  )
}

import { type ReactNode, useId, useState } from 'react'
import { focusOnMount } from '~/auth/focus-on-mount'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import type { OpenedLink } from './link-session.ts'

type Answer = { text: string; act: () => Promise<void>; variant?: 'primary' | 'ghost' }

type SwitchAccountsProps = { link: OpenedLink; onContinue: () => Promise<void>; onStay: () => Promise<void> }

/** Asks whether a link may sign out who is signed in (decision mailed-links). */
export function SwitchAccounts({ link, onContinue, onStay }: SwitchAccountsProps) {
  const current = link.signedInAs ?? ''
  return (
    <Question
      title={m.verify_switch_title()}
      answers={[
        { text: m.verify_switch_continue({ email: link.email }), act: onContinue, variant: 'primary' },
        { text: m.verify_switch_stay({ email: current }), act: onStay },
      ]}
    >
      <p className="wrap-anywhere">{m.verify_switch_text({ current, next: link.email })}</p>
    </Question>
  )
}

type ConfirmSignInProps = {
  link: OpenedLink
  /** Signs in; called when there is no password to keep. */
  onContinue: () => Promise<void>
  onKeep: () => Promise<void>
  onChoose: () => Promise<void>
  onDecline: () => Promise<void>
}

/**
 * Asks before a link signs in a browser that did not ask for it, and, while the password of a sign-up waits, the one
 * question whose it is (decision mailed-links).
 */
export function ConfirmSignIn({ link, onContinue, onKeep, onChoose, onDecline }: ConfirmSignInProps) {
  const decline: Answer = { text: m.verify_sign_in_decline(), act: onDecline, variant: 'ghost' }
  const answers: Answer[] =
    link.password === 'waiting'
      ? [
          { text: m.verify_keep_yes(), act: onKeep, variant: 'primary' },
          { text: m.verify_keep_no(), act: onChoose },
        ]
      : [{ text: m.verify_switch_continue({ email: link.email }), act: onContinue, variant: 'primary' }]
  return (
    <Question
      title={m.verify_sign_in_title({ email: link.email })}
      answers={link.isExpected ? answers : [...answers, decline]}
    >
      {!link.isExpected && <p>{m.verify_sign_in_text()}</p>}
      {link.password === 'waiting' && <p className="text-lg font-bold">{m.verify_keep_question()}</p>}
    </Question>
  )
}

type QuestionProps = { title: string; answers: Answer[]; children: ReactNode }

function Question({ title, answers, children }: QuestionProps) {
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

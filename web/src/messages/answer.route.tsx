import { CircleCheck, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerText, COMING_WITHIN } from '#contract/answers.ts'
import { ANSWERS, type Answer, COMING_ANSWERS, MESSAGE_MAX } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { NarrowLayout } from '~/frame/NarrowLayout'
import { getLocale, href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { plainField, slot } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import {
  LocalTime,
  PlainChoice,
  PlainForm,
  PlainFormButton,
  PlainFormFailure,
  PlainPlate,
  PlainTextArea,
} from '~/plain-form/PlainForm'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { answerLabel } from './AnswerButtons.tsx'

export const handle: RouteHandle = { plainForm: true }

export const meta = () => privatePageMeta(m.answer_link_title())

/**
 * Renders /answer#…: where the links of an email about a message lead (decision answer-links). Only scripts can read the secret in the
 * fragment (messages/answer-script.ts): they ask for the message, and the server responds with the same page.
 */
export default function AnswerPage() {
  return (
    <NarrowLayout languages={null} className="grid content-start gap-5 pt-4 sm:pt-10">
      <PlainFormFailure />
      <Blank />
      <Message />
      <div data-if={slot('SENT')} className="grid justify-items-start gap-4">
        <CircleCheck aria-hidden="true" className="size-9 text-good" />
        <Heading>{m.answer_link_sent()}</Heading>
        <p data-if={slot('ANSWER')} className="text-lg font-bold">
          {slot('ANSWER')}
        </p>
        <p data-if={slot('REPLY')} dir="auto" className="text-lg whitespace-pre-wrap">
          {slot('REPLY')}
        </p>
        <p>{m.answer_link_anonymous()}</p>
        <ToApp />
      </div>
      <div data-if={slot('GONE')} className="grid justify-items-start gap-4">
        <Heading>{m.answer_link_gone()}</Heading>
        <p className="text-lg">{m.answer_link_gone_text()}</p>
        <ToApp />
      </div>
    </NarrowLayout>
  )
}

/** Shows the page before the message is there: without scripts it can only lead to the app. */
const Blank = () => (
  <div data-if={slot('BLANK')} className="grid justify-items-start gap-4">
    <Heading>{m.answer_link_title()}</Heading>
    <div className="grid justify-items-start gap-4 scripted:hidden">
      <p className="text-lg">{m.answer_link_no_scripts()}</p>
      <ToApp />
    </div>
    <PlainForm action={href(paths.answerLink())} data-answer-link={slot('BLANK')} className="hidden scripted:block">
      <input type="hidden" name="token" defaultValue={slot('TOKEN')} />
      <input type="hidden" name="session" defaultValue={slot('SESSION')} />
      <input type="hidden" name="answer" defaultValue={slot('ANSWER')} />
      <PlainFormButton pendingText={m.answer_link_opening()}>{m.answer_link_open()}</PlainFormButton>
    </PlainForm>
  </div>
)

/** Shows the message and asks for the answer. 'Send' is in sight however long the message is. */
function Message() {
  const choices = (answers: Answer[]) => answers.map((answer) => <Choice key={answer} answer={answer} />)
  return (
    <PlainForm
      action={href(paths.answerLink())}
      data-if={slot('OPEN')}
      data-app-page={slot('APP_PAGE')}
      className="grid gap-4"
    >
      <input type="hidden" name="token" defaultValue={slot('TOKEN')} />
      <input type="hidden" name="action" value="send" />
      <Heading>{slot('REASON')}</Heading>
      <PlainPlate />
      <div data-if={slot('URGENT')}>
        <EmergencyCall title={m.message_danger()} call={m.call_911()} />
      </div>
      <div data-if={slot('CONTENT')}>
        <Card className="grid gap-3">
          <blockquote data-if={slot('TEXT')} dir="auto" className="text-lg whitespace-pre-wrap">
            {slot('TEXT')}
          </blockquote>
          <a data-if={slot('IMAGE')} href={slot('IMAGE')} target="_blank" rel="noreferrer">
            {/* lazy, or the page would ask for it before there is one */}
            <img src={slot('IMAGE')} alt={m.image_open()} loading="lazy" className="max-h-36 rounded-xl" />
          </a>
          <p data-if={slot('NOTES')} className="text-sm whitespace-pre-line text-ink-soft">
            {slot('NOTES')}
          </p>
        </Card>
      </div>
      <fieldset>
        <legend className="font-bold">{m.answer_title()}</legend>
        <p className="pb-2 text-sm text-ink-soft">{m.answer_sender_reads()}</p>
        <div className="grid gap-2">
          <div data-if={slot('TIMELY')} className="contents">
            {choices([...COMING_ANSWERS])}
          </div>
          {choices(ANSWERS.filter((answer) => !COMING_ANSWERS.includes(answer)))}
        </div>
      </fieldset>
      <div data-if={slot('WRITE')}>
        <PlainTextArea label={m.answer_link_words()} rows={3} maxCharacters={MESSAGE_MAX} {...plainField('reply')} />
      </div>
      <p className="text-sm text-ink-soft">{m.answer_link_anonymous()}</p>
      <div className="sticky bottom-0 -mx-4 border-t border-line bg-paper px-4 py-3">
        <PlainFormButton icon={Send} pendingText={m.reply_sending()} className="w-full">
          {m.answer_link_send()}
        </PlainFormButton>
      </div>
    </PlainForm>
  )
}

/** Offers an answer, and says what the sender reads. */
function Choice({ answer }: { answer: Answer }) {
  const minutes = COMING_WITHIN[answer]
  return (
    <PlainChoice type="radio" name="answer" value={answer}>
      {answerLabel(answer)}
      <span className="text-sm font-normal">
        {minutes === undefined ? (
          answerText(answer, getLocale())
        ) : (
          <LocalTime className="block" at={`PT${minutes}M`} text={m.answer_coming_by({ time: '{time}' })} />
        )}
      </span>
    </PlainChoice>
  )
}

const Heading = ({ children }: { children: ReactNode }) => (
  <h1 tabIndex={-1} className="text-3xl font-extrabold text-balance outline-none">
    {children}
  </h1>
)

const ToApp = () => (
  <ButtonLink to={paths.messages('received')} variant="primary" reloadDocument>
    {m.answer_link_app()}
  </ButtonLink>
)

import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { type MessageView, SEARCH_TEXT_MAX, SEARCH_TEXT_MIN } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { SelectControl } from '~/ui/Select'
import { messageVehiclesQuery, type ReceivedFilter } from './queries.ts'

type Props = {
  view: MessageView
  filter: ReceivedFilter
  onFilter: (filter: ReceivedFilter) => void
  /** The search text; empty: there is no search. */
  searched: string
  onSearch: (text: string) => void
}

/** Searches the messages of a view, and filters received ones by vehicle and by unread. */
export function FindBar({ view, filter, onFilter, searched, onSearch }: Props) {
  const id = useId()
  const [text, setText] = useState(searched)
  const [isTooShort, setTooShort] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    setTooShort(wanted.length > 0 && wanted.length < SEARCH_TEXT_MIN)
    if (wanted.length === 0 || wanted.length >= SEARCH_TEXT_MIN) onSearch(wanted)
  }
  const clear = () => {
    setText('')
    setTooShort(false)
    onSearch('')
  }
  return (
    <search data-behind="" className="mb-4 flex flex-wrap items-start gap-2">
      <form noValidate className="grid min-w-28 flex-1 gap-1.5" onSubmit={submit}>
        <label htmlFor={id} className="sr-only">
          {view === 'received' ? m.messages_search_received() : m.messages_search_sent()}
        </label>
        <div className="relative">
          <Button type="submit" variant="ghost" size="icon" className="absolute! top-0.5 left-0.5">
            <Search aria-hidden="true" className="size-5" />
            <span className="sr-only">{m.messages_search()}</span>
          </Button>
          <input
            id={id}
            type="text"
            className="control pl-11! data-clear:pr-12!"
            data-clear={searched !== '' || undefined}
            placeholder={m.messages_search()}
            value={text}
            maxLength={SEARCH_TEXT_MAX}
            autoComplete="off"
            enterKeyHint="search"
            aria-invalid={isTooShort || undefined}
            aria-describedby={isTooShort ? `${id}-error` : undefined}
            onChange={(event) => setText(event.target.value)}
          />
          {searched !== '' && (
            <Button variant="ghost" size="icon" className="absolute! top-0.5 right-0.5" onClick={clear}>
              <X aria-hidden="true" className="size-5" />
              <span className="sr-only">{m.messages_search_clear()}</span>
            </Button>
          )}
        </div>
        {isTooShort && (
          <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger">
            {m.messages_search_short()}
          </p>
        )}
      </form>
      {view === 'received' && <Filters filter={filter} onFilter={onFilter} />}
    </search>
  )
}

function Filters({ filter, onFilter }: { filter: ReceivedFilter; onFilter: (filter: ReceivedFilter) => void }) {
  const vehicles = useQuery(messageVehiclesQuery).data?.items ?? []
  const isUnread = filter.unread !== undefined
  return (
    <>
      {(vehicles.length > 1 || filter.vehicle_id !== undefined) && (
        <div className="w-34 sm:w-44">
          <SelectControl
            aria-label={m.messages_filter_vehicle()}
            placeholder={m.messages_filter_all()}
            options={vehicles.map(({ id, plate }) => ({ value: id, label: plate, translate: 'no' }))}
            value={filter.vehicle_id ?? ''}
            onChange={(event) => onFilter({ ...filter, vehicle_id: event.target.value || undefined })}
          />
        </div>
      )}
      <Button
        aria-pressed={isUnread}
        className="min-h-12 px-3! aria-pressed:border-pine aria-pressed:bg-pine-soft aria-pressed:text-pine"
        onClick={() => onFilter({ ...filter, unread: isUnread ? undefined : 'true' })}
      >
        {m.messages_unread()}
      </Button>
    </>
  )
}

import { type ReactNode, useState } from 'react'
import { PrefetchPageLinks } from 'react-router'
import { loadAuthClient } from '~/lib/session/session'

type Props = {
  /** The address that what is typed leads to. */
  page: string
  children: ReactNode
}

/** Loads the auth client and the code of the next page while somebody types: a slow phone has them when the button is pressed. */
export function PreloadWhileTyping({ page, children }: Props) {
  const [isTyping, setTyping] = useState(false)
  const begin = () => {
    if (isTyping) return
    setTyping(true)
    loadAuthClient().catch(() => {}) // whoever needs it says so
  }
  return (
    <div className="contents" onInput={begin}>
      {isTyping && <PrefetchPageLinks page={page} />}
      {children}
    </div>
  )
}

import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { LoadMore } from '~/ui/signed-in/LoadMore'

/** How many items of a list are shown at first. */
const SHOWN_FIRST = 3

const buttonProps = { variant: 'ghost', className: 'w-full sm:-ml-4 sm:w-auto sm:justify-self-start' } as const

type Props<Item> = {
  items: Item[]
  /** Loads older items. */
  list: ComponentProps<typeof LoadMore>['list']
  /** Renders some of the items as a list. */
  children: (items: Item[]) => ReactNode
}

/** Shows the latest items of a list, and all of them on request. */
export function FoldedList<Item>({ items, list, children }: Props<Item>) {
  const [isOpen, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const showAll = () => {
    flushSync(() => setOpen(true))
    // the first of the items that take the place of the button
    const item = container.current?.querySelectorAll('li')[SHOWN_FIRST]
    item?.setAttribute('tabindex', '-1')
    item?.focus()
  }
  return (
    <div ref={container} className="grid gap-3">
      {children(isOpen ? items : items.slice(0, SHOWN_FIRST))}
      {isOpen ? (
        <LoadMore list={list} {...buttonProps} />
      ) : (
        items.length > SHOWN_FIRST && (
          <Button {...buttonProps} onClick={showAll}>
            {m.profile_show_all()}
          </Button>
        )
      )}
    </div>
  )
}

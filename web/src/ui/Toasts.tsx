import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Toaster } from 'sonner'
import 'sonner/dist/styles.css'
import { m } from '~/paraglide/messages'

const icon = 'size-5 shrink-0'

/** Where `toast` (lib/toast.ts) shows its texts; layouts put it once on the page. */
export function Toasts() {
  return (
    <Toaster
      containerAriaLabel={m.toasts_label()}
      position="top-center"
      expand // several at once stand in a list: each is a text somebody may need to read
      icons={{
        success: <CircleCheck aria-hidden="true" className={`${icon} text-good`} />,
        warning: <TriangleAlert aria-hidden="true" className={`${icon} text-warn`} />,
        error: <CircleAlert aria-hidden="true" className={`${icon} text-danger`} />,
      }}
      toastOptions={{
        duration: 6000,
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-3 rounded-xl border border-line bg-surface p-4 text-ink shadow-float sm:w-(--width) font-sans',
          title: 'font-bold leading-snug',
        },
      }}
    />
  )
}

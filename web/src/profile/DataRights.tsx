import { type Ref, useId } from 'react'
import { DataExport } from './DataExport.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'

type Props = { title: string; text: string; className: string; headingRef?: Ref<HTMLHeadingElement> }

/** Shows what remains for somebody who cannot use the app: to download their data, and to delete the account. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function DataRights({ title, text, className, headingRef }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={`grid gap-5 ${className}`}>
      <div className="grid gap-1.5">
        <h2 id={heading} ref={headingRef} tabIndex={-1} className="text-xl font-bold outline-none">
          {title}
        </h2>
        <p className="text-ink-soft">{text}</p>
      </div>
      <DataExport />
      <DeleteAccount />
    </section>
  )
}

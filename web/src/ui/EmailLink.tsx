import clsx from 'clsx'

/** An e-mail address, to write to. A long one breaks anywhere rather than reach out of its place. */
export function EmailLink({ address, className }: { address: string; className?: string }) {
  return (
    <a href={`mailto:${address}`} className={clsx('link wrap-anywhere', className)}>
      {address}
    </a>
  )
}

import clsx from 'clsx'

/** Links to an email address. A long one breaks anywhere, so that it does not overflow its container. */
export function EmailLink({ address, className }: { address: string; className?: string }) {
  return (
    <a href={`mailto:${address}`} translate="no" className={clsx('link', className)}>
      {address}
    </a>
  )
}

/** Says to screen readers alone what a control is about: a plate or a name, which browsers leave as it is. */
export const SpokenName = ({ of }: { of: string }) => (
  <span translate="no" className="sr-only">
    {of}
  </span>
)

import type { ComponentProps } from 'react'
import { TextField } from './Field.tsx'

/** An e-mail address as it is typed on a phone: no capital at its start, no red line under it. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return <TextField type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} {...props} />
}

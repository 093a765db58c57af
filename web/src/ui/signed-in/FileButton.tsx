import { Camera, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import type { ControlProps } from '~/ui/Field'

type Props = Pick<ComponentProps<'input'>, 'ref' | 'accept' | 'capture' | 'disabled'> & {
  control?: Partial<ControlProps>
  icon: LucideIcon
  onFile: (file: File) => void
  children: ReactNode
}

/** Shows a file field that looks like a button. */
export function FileButton({ control, icon: Icon, onFile, children, ...input }: Props) {
  return (
    <label
      className={buttonClass(
        'secondary',
        'md',
        'relative has-disabled:opacity-60 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[light-dark(#1d5540,#ffcf70)]',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
      {children}
      <input
        {...control}
        {...input}
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0 file:hidden disabled:cursor-default"
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = '' // so that the same file can be chosen again
          if (file) onFile(file)
        }}
      />
    </label>
  )
}

/** Opens the camera on touch devices; on others it would be a second button for files. */
export const CameraButton = (props: Omit<Props, 'icon'>) => (
  <span className="hidden pointer-coarse:contents">
    <FileButton {...props} icon={Camera} capture="environment" accept="image/*" />
  </span>
)

/** Shows how much of a file has been sent. */
export const UploadProgress = ({ label, share }: { label: string; share: number }) => (
  <div className="grid gap-1">
    <p aria-hidden="true" className="flex justify-between gap-3 text-sm font-bold">
      {label}
      <span className="tabular-nums">{m.percent({ percent: Math.round(share * 100) })}</span>
    </p>
    <progress aria-label={label} max={1} value={share} className="h-2 w-full accent-pine" />
  </div>
)

import type { ReactNode } from 'react'

/** Draws the logo of another site in one colour; the icon set has none of them. */
export type ShareIcon = () => ReactNode

const IconFrame = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 fill-current">
    {children}
  </svg>
)

export const FacebookIcon: ShareIcon = () => (
  <IconFrame>
    <path d="M9.6 22v-8.4H7V10h2.6V7.6C9.6 4.6 11.4 3 14.1 3c1.2 0 2.3.1 2.9.2v3.1h-2c-1.5 0-1.8.8-1.8 1.8V10h3.6l-.5 3.6h-3.1V22z" />
  </IconFrame>
)

export const XIcon: ShareIcon = () => (
  <IconFrame>
    <path d="M3 3h5.6l4.2 5.9L18 3h2.3l-6.4 7.4L21 21h-5.6l-4.6-6.5L5.2 21H2.9l6.8-7.9zm3.5 1.7 9.8 14.6h1.3L7.8 4.7z" />
  </IconFrame>
)

export const LinkedInIcon: ShareIcon = () => (
  <IconFrame>
    <circle cx="5.2" cy="5.2" r="2.2" />
    <path d="M3.4 9.2h3.6V21H3.4zM9.4 9.2h3.5v1.7c.6-1.1 1.9-2 3.7-2 3.3 0 4.4 2 4.4 5.2V21h-3.6v-6.3c0-1.7-.5-2.7-1.9-2.7-1.6 0-2.5 1.1-2.5 2.9V21H9.4z" />
  </IconFrame>
)

export const WhatsAppIcon: ShareIcon = () => (
  <IconFrame>
    <path
      fillRule="evenodd"
      d="M12 2.5a9.5 9.5 0 0 0-8.2 14.2L2.5 21.5l4.9-1.3A9.5 9.5 0 1 0 12 2.5zm0 1.8a7.7 7.7 0 1 1-4.3 14.1l-2.6.7.7-2.5A7.7 7.7 0 0 1 12 4.3zM8.9 7.6c-.3 0-.6.1-.8.3-.5.5-.9 1.2-.9 2 0 2.7 4.2 6.6 7 6.6 1 0 2.1-.6 2.4-1.5.1-.4.2-.8 0-1l-2.3-1.1c-.2-.1-.4 0-.5.1l-.8 1c-.1.2-.4.2-.6.1-1.2-.5-2.3-1.5-2.9-2.7-.1-.2-.1-.4.1-.5l.6-.8c.1-.1.1-.3.1-.5l-.9-2c-.1-.2-.3-.3-.5-.3z"
    />
  </IconFrame>
)

/** Shows a text exactly as it was written: plain, with its line breaks, its links not clickable (a stranger wrote them). */
export const MessageText = ({ text }: { text: string }) => (
  <p dir="auto" className="max-w-prose text-lg whitespace-pre-wrap">
    {text}
  </p>
)

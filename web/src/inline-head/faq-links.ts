/**
 * Does for the questions of the landing page what Firefox does itself only since version 130: of `details` that share a name
 * one stays open, and a link to an answer opens it.
 */
export function openLinkedQuestions() {
  if (!('name' in HTMLDetailsElement.prototype))
    document.addEventListener(
      'toggle',
      ({ target }) => {
        const opened = target as HTMLDetailsElement
        const name = opened.open && opened.getAttribute('name')
        if (!name) return
        for (const other of document.querySelectorAll<HTMLDetailsElement>(`details[name=${name}]`))
          if (other !== opened) other.open = false
      },
      true, // it does not bubble
    )
  const open = () => {
    const answer = location.hash && document.getElementById(location.hash.slice(1))
    const question = answer ? answer.closest('details') : null
    if (!answer || !question || question.open) return
    question.open = true
    answer.scrollIntoView()
  }
  document.addEventListener('DOMContentLoaded', open)
  addEventListener('hashchange', open)
}

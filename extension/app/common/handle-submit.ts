/** Returns a form's handler that does `work` instead of loading another page. */
export const handleSubmit = (work: () => void) => (event: SubmitEvent) => {
  event.preventDefault()
  work()
}

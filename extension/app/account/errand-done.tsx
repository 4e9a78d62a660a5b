import { accountText as text } from '#extension/i18n/account-text.ts'
import { appPath } from '#shared/app-places.ts'

/** Time in ms in which a tab closes, if the browser lets a page close it. */
const closesMs = 300

/**
 * The way back from an errand that a dialog or the extension opened a tab for: the tab closes, and what is behind it checks
 * again. A browser keeps a tab that no link opened, which shows the first screen instead.
 */
export function ErrandDone() {
  return (
    <button
      type="button"
      class="main"
      onClick={() => {
        close()
        setTimeout(() => location.replace(appPath('app')), closesMs)
      }}
    >
      {text('errand.back')}
    </button>
  )
}

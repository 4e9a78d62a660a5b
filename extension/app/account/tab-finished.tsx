import { appPath } from '#shared/app-places.ts'
import { text } from './words.ts'

/** Time in ms in which a tab closes, if the browser lets a page close it. */
const closesMs = 300

/**
 * The way back from a tab that a dialog or the extension opened: the tab closes, and what is behind it checks
 * again. A browser keeps a tab that no link opened, which shows the first screen instead.
 */
export function TabFinished() {
  return (
    <button
      type="button"
      class="main"
      onClick={() => {
        close()
        setTimeout(() => location.replace(appPath('app')), closesMs)
      }}
    >
      {text('tab_finished.back')}
    </button>
  )
}

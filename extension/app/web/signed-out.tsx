import { text } from '#extension/i18n/text.ts'
import { keepPlace } from '../shell/left-place.ts'
import { signInPath } from './sign-in-path.ts'

/** Shown when the session ended while the app was open. */
export function SignedOut() {
  return (
    <main class="welcome">
      <h1>{text('app.name')}</h1>
      <p class="promise">{text('sign_in.expired')}</p>
      <a class="button" href={signInPath()} onClick={keepPlace}>
        {text('sign_in.submit')}
      </a>
    </main>
  )
}

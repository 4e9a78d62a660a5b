import { render } from 'preact'
import { App } from '#extension/app/popup/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)

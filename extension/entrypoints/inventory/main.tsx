import { render } from 'preact'
import { App } from '#extension/app/shell/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)

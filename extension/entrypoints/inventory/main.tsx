import { render } from 'preact'
import { App } from '#extension/ui/inventory/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)

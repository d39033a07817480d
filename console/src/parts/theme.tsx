import { useState } from 'preact/hooks';

const key = 'holdfast-theme';
const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const kept = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
const show = (theme: Theme) => {
  document.documentElement.dataset['theme'] = theme;
};
show(kept());

/** As the system has it, or as the person says. */
export function Theme() {
  const [theme, setTheme] = useState(kept);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const change = () => {
    localStorage.setItem(key, next);
    show(next);
    setTheme(next);
  };
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Colours: ${theme}. Change to ${next}`}>
      {theme}
    </button>
  );
}

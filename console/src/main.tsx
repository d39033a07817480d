import { render } from 'preact';
import { App } from './app';
import { takeTokenFromAddress } from './data/token';
import './style.css';

takeTokenFromAddress();
const root = document.getElementById('app');
if (root) render(<App />, root);

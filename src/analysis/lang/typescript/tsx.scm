[(jsx_element) (jsx_self_closing_element)] @hook.jsx

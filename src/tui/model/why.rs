//! The state of the pane of reasons.

/// The state of the pane of reasons.
#[derive(Debug, Clone, Default)]
pub struct WhyView {
    /// Lines scrolled away at the top.
    pub scroll: usize,
}
